# The 99 % points of src/statistics/shape.cc: the largest ratio of the sum of squares between two groups to that within
# them, over all divisions of n sorted normal values into groups of three and of 15 % at the least. Takes minutes:
#   Rscript critical_points.R
set.seed(1)
for (n in c(8, 9, 10, 12, 15, 20, 30, 50, 100, 200, 500, 1000)) {
  least <- max(3, ceiling(0.15 * n))
  k <- least:(n - least)
  ratios <- replicate(if (n <= 100) 200000 else 20000, {
    x <- sort(rnorm(n))
    distance <- cumsum(x - mean(x))[k]
    between <- max(distance^2 / k + distance^2 / (n - k))
    between / (sum((x - mean(x))^2) - between)
  })
  cat(n, signif(quantile(ratios, 0.99), 4), "\n")
}
