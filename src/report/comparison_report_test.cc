#include "report/comparison_report.h"
#include "report/comparison_fixture.h"
#include <gtest/gtest.h>
#include <cstdio>
namespace tollgate::report {
TEST(A,B) { std::puts(table_text(example_comparison()).c_str()); std::puts(table_markdown(example_comparison()).c_str()); 
std::puts(table_text(equal_comparison(3)).c_str());
}
}
