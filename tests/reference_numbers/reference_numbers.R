# Makes numbers.tsv, to which the estimators of src/statistics are held. Run in this folder with Debian's r-base-core:
#   Rscript reference_numbers.R > numbers.tsv
# A line: case, field, values. `baseline` and `variant` are data; every other field is what R makes of them. Where R has the
# estimator it is used; Fieller's interval, Pettitt's statistic and the best division are computed from their definitions.
set.seed(20)

put <- function(case, field, ...) {
  cat(case, field, paste(format(c(...), digits = 15, trim = TRUE), collapse = " "), sep = "\t")
  cat("\n")
}

margin <- 0.01
low_shift <- log(1 - margin)
high_shift <- log(1 + margin)

paired <- function(case, a, b) {
  d <- log(b) - log(a)
  if (length(d) >= 6) {
    w <- wilcox.test(d, conf.int = TRUE, exact = TRUE)
    w90 <- wilcox.test(d, conf.int = TRUE, exact = TRUE, conf.level = 0.9)
    put(case, "signed_rank", w$estimate, w$conf.int, w90$conf.int, w$p.value)
    put(case, "signed_rank_equivalence", max(
      wilcox.test(d, mu = low_shift, alternative = "greater", exact = TRUE)$p.value,
      wilcox.test(d, mu = high_shift, alternative = "less", exact = TRUE)$p.value))
  }
  t <- t.test(d)
  put(case, "paired_t", t$estimate, t$conf.int, t$parameter, t$p.value)
  put(case, "paired_t_equivalence", max(
    t.test(d, mu = low_shift, alternative = "greater")$p.value, t.test(d, mu = high_shift, alternative = "less")$p.value))
  # The ratios that a t test of b - r a = 0 just rejects at 5 %.
  distance <- function(r) t.test(b - r * a)$p.value - 0.05
  r <- mean(b) / mean(a)
  put(case, "paired_ratio", uniroot(distance, c(r - 1, r), tol = 1e-13)$root,
      uniroot(distance, c(r, r + 1), tol = 1e-13)$root)
}

unpaired <- function(case, a, b) {
  x <- log(a)
  y <- log(b)
  if (min(length(x), length(y)) >= 4) {
    w <- wilcox.test(y, x, conf.int = TRUE, exact = TRUE)
    w90 <- wilcox.test(y, x, conf.int = TRUE, exact = TRUE, conf.level = 0.9)
    put(case, "mann_whitney", w$estimate, w$conf.int, w90$conf.int, w$p.value)
    put(case, "mann_whitney_equivalence", max(
      wilcox.test(y, x, mu = low_shift, alternative = "greater", exact = TRUE)$p.value,
      wilcox.test(y, x, mu = high_shift, alternative = "less", exact = TRUE)$p.value))
  }
  t <- t.test(y, x)
  put(case, "welch", -diff(t$estimate), t$conf.int, t$parameter, t$p.value)
  r <- mean(b) / mean(a)
  ea <- var(a) / length(a)
  eb <- var(b) / length(b)
  df <- (eb + r^2 * ea)^2 / (eb^2 / (length(b) - 1) + (r^2 * ea)^2 / (length(a) - 1))
  distance <- function(q) abs(mean(b) - q * mean(a)) / sqrt(eb + q^2 * ea) - qt(0.975, df)
  put(case, "ratio", uniroot(distance, c(r - 1, r), tol = 1e-13)$root, uniroot(distance, c(r, r + 1), tol = 1e-13)$root)
}

trends <- function(case, x) {
  n <- length(x)
  fit <- summary(lm(x ~ seq(0, n - 1)))$coefficients
  put(case, "drift", fit[2, 1], fit[2, 4])
  u <- sapply(1:(n - 1), function(k) sum(sign(outer(x[1:k], x[(k + 1):n], "-"))))
  put(case, "pettitt", max(abs(u)), which.max(abs(u)))
}

shape <- function(case, x) {
  put(case, "quantiles", quantile(x, c(0.05, 0.25, 0.5, 0.75, 0.95)))
  s <- sort(x)
  n <- length(s)
  least <- max(3, ceiling(0.15 * n))
  squares <- function(v) sum((v - mean(v))^2)
  ratio <- sapply(least:(n - least), function(k) {
    within <- squares(s[1:k]) + squares(s[(k + 1):n])
    (squares(s) - within) / within
  })
  put(case, "division", max(ratio), least - 1 + which.max(ratio))
}

for (n in c(3, 5, 6, 10, 20, 60)) {
  case <- paste0("normal-", n)
  a <- round(10 * exp(rnorm(n, 0, 0.02)), 6)
  b <- round(10.1 * exp(rnorm(n, 0, 0.03)), 6)
  put(case, "baseline", a)
  put(case, "variant", b)
  paired(case, a, b)
  unpaired(case, a, b)
  if (n >= 10) trends(case, b)
  if (n >= 10) shape(case, b)
}

case <- "unequal"
a <- round(rexp(4, 2) + 1, 6)
b <- round(rexp(9, 2) + 1, 6)
put(case, "baseline", a)
put(case, "variant", b)
unpaired(case, a, b)

case <- "two-humps"
b <- round(c(rnorm(6, 10, 0.05), rnorm(14, 11, 0.05)), 6)
put(case, "variant", b)
trends(case, b)
shape(case, b)

# Ranks: probabilities of at most k, and quantiles.
for (n in c(3, 6, 10, 20, 50)) put(paste0("ranks-", n), "psignrank", n, psignrank(0:8, n))
for (m in c(3, 4, 10, 30)) put(paste0("ranks-", m), "pwilcox", m, m + 2, pwilcox(0:8, m, m + 2))

put("holm", "variant", p <- c(0.01, 0.04, 0.03, 0.005, 0.5, 0.04))
put("holm", "holm", p.adjust(p, "holm"))

# Groups of unequal size: mean squares of a one-way analysis of variance.
sizes <- c(5, 3, 4, 6)
group <- rep(seq_along(sizes), sizes)
y <- round(rnorm(length(sizes), 10, 0.5)[group] + rnorm(sum(sizes), 0, 0.3), 6)
squares <- anova(lm(y ~ factor(group)))[["Mean Sq"]]
n0 <- (sum(sizes) - sum(sizes^2) / sum(sizes)) / (length(sizes) - 1)
put("levels", "baseline", group)
put("levels", "variant", y)
put("levels", "components", squares[2], max(0, (squares[1] - squares[2]) / n0))
