// A /proc and a /sys of a test's own, which tell of any kernel.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "base/test_support/temporary_folder.h"
#include "measure/host.h"

namespace tollgate::measure {

class FakeHost {
 public:
  FakeHost() {
    write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Fake CPU @ 1 GHz\n");
    write("proc/loadavg", "0.25 0.50 0.75 1/99 1234\n");
    write("sys/devices/system/cpu/online", "0-3\n");
    boot("boot-1", "6.1.0", "quiet");
  }
  void boot(const std::string& id, const std::string& kernel, const std::string& command_line) {
    write("proc/sys/kernel/random/boot_id", id + "\n");
    write("proc/sys/kernel/osrelease", kernel + "\n");
    write("proc/cmdline", "BOOT_IMAGE=/vmlinuz " + command_line + "\n");
  }
  void write(const std::string& name, const std::string& content) {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << content;
  }
  HostFiles files() const { return {folder_.path() / "proc", folder_.path() / "sys"}; }

 private:
  TemporaryFolder folder_;
};

}  // namespace tollgate::measure
