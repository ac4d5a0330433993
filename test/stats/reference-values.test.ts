import { describe, expect, test } from "vitest";
import * as stats from "../../src/stats/index.ts";
import { bcaLimits, percentileLimits } from "../../src/stats/intervals/bootstrap-limits.ts";
import { acceleration, biasCorrection, jackknifeMeans } from "../../src/stats/resampling/jackknife.ts";
import { answer } from "./answer.ts";
import reference from "./reference-values.json" with { type: "json" };

// biome-ignore lint/suspicious/noExplicitAny: each oracle has a shape of its own, and a wrong read fails the test
type Loose = any;
interface Oracle {
  name: string;
  tool: string;
  input: Loose;
  command: string;
  value: Loose;
}
const { data, oracles } = reference as {
  data: Record<string, { control: number[]; treatment: number[] }>;
  oracles: Oracle[];
};

const close = (actual: number, expected: number, tolerance = 1e-8) =>
  expect(Math.abs(actual - expected), `${actual} against ${expected}`).toBeLessThanOrEqual(
    tolerance * Math.max(1e-300, Math.abs(expected)),
  );
const near = (actual: number, expected: number, distance: number) =>
  expect(Math.abs(actual - expected), `${actual} against ${expected}`).toBeLessThanOrEqual(distance);
const pairs = (o: Oracle) => {
  const found = data[/pairs\d+/.exec(JSON.stringify(o.input))?.[0] ?? `pairs${/n(\d+)$/.exec(o.name)?.[1]}`]!;
  return {
    x: found.treatment,
    y: found.control,
    d: found.treatment.map((t, i) => Math.round((t - found.control[i]!) * 1e4) / 1e4),
  };
};
const zerosLike = (d: number[]) => d.map(() => 0);
const side = (command: string): stats.Side => (command.includes("greater") ? "greater" : "two-sided");
const limitsOf = (interval: stats.Interval) => [interval.low, interval.high];

/**
 * An interval by resampling, against a reference that is itself random. The 2.5 % point of B resamples of something
 * near normal has a standard deviation of sqrt(.025 * .975 / B) / φ(1.96) of its own, 2.67 of it over sqrt(B); that
 * of the bias correction z0 comes on top for BCa, which makes 3.66.
 */
const resampled = (
  interval: stats.Result<stats.Interval>,
  expected: number[],
  { reference, resamples }: { reference: number; resamples: number },
) => {
  const sd = (expected[1]! - expected[0]!) / 3.92;
  const spread = 3.66 * sd * Math.sqrt(1 / resamples + 1 / reference);
  limitsOf(answer(interval)).forEach((limit, i) => {
    near(limit, expected[i]!, 4 * spread);
  });
};

const check: [RegExp, (o: Oracle) => void][] = [
  [
    /^(welch|student)_t\.n/,
    (o) => {
      const { x, y } = pairs(o);
      const equalVariance = o.name.startsWith("student");
      const test = answer(stats.welchTest(x, y, { equalVariance }));
      close(test.statistic, o.value.t);
      close(test.p, o.value.p);
      if (o.value.df) close(test.df!, o.value.df);
      if (o.value.ci95)
        limitsOf(answer(stats.welchInterval(x, y, { equalVariance }))).forEach((v, i) => {
          close(v, o.value.ci95[i]);
        });
    },
  ],
  [
    /^paired_t/,
    (o) => {
      const { x, y } = pairs(o);
      const test = answer(stats.pairedTTest(x, y, { side: side(o.command) }));
      if (o.value.t) close(test.statistic, o.value.t);
      close(test.p, o.value.p);
      if (o.value.ci95)
        limitsOf(answer(stats.meanDifference(x, y, { paired: true }))).forEach((v, i) => {
          close(v, o.value.ci95[i]);
        });
    },
  ],
  [
    /^summary/,
    (o) => {
      const { d } = pairs(o);
      close(answer(stats.mean(d)).value, o.value.mean);
      close(answer(stats.standardDeviation(d)).value, o.value.sd);
      close(answer(stats.standardError(d)).value, o.value.sem);
      close(answer(stats.median(d)).value, o.value.median);
      close(answer(stats.skewness(d)).value, o.value.skew_g1);
      close(answer(stats.kurtosis(d)).value, o.value.kurtosis_excess_g2);
    },
  ],
  [
    /^wilcoxon[._]/,
    (o) => {
      const { d } = pairs(o);
      const zeros = o.command.includes("pratt") ? "pratt" : "wilcox";
      const method = o.name.includes("exact") ? "exact" : "normal";
      const continuity = o.name.includes("_cc");
      const test = answer(stats.wilcoxonTest(d, zerosLike(d), { zeros, method, continuity }));
      if (o.value.statistic) close(test.statistic, o.value.statistic);
      close(test.p, o.value.p);
      const { x, y } = pairs(o);
      expect(
        stats.wilcoxonTest(x, y, { zeros, method, continuity }),
        "unrounded differences keep their ties",
      ).toEqual(test);
    },
  ],
  [
    /^mann_?whitney/,
    (o) => {
      const { x, y } = pairs(o);
      const method = o.name.includes("exact") ? "exact" : "normal";
      const test = answer(stats.mannWhitneyTest(x, y, { method, continuity: !/normal\.n/.test(o.name) }));
      close(test.statistic, o.value.U1 ?? o.value.statistic);
      close(test.p, o.value.p);
    },
  ],
  [
    /^ties\./,
    (o) => {
      const { x, y } = o.input;
      const continuity = /True|_cc/.test(o.name);
      const zeros = (
        o.name.includes("zsplit") ? "split" : o.name.includes("pratt") ? "pratt" : "wilcox"
      ) as "split";
      const test = answer(
        o.name.includes("wilcoxon")
          ? stats.wilcoxonTest(x, y, { zeros, method: "normal", continuity })
          : stats.mannWhitneyTest(x, y, { method: "normal", continuity }),
      );
      close(test.p, o.value.p);
    },
  ],
  [
    /^shapiro\./,
    (o) => {
      const test = answer(stats.shapiroWilkTest(pairs(o).d));
      close(test.statistic, o.value.W, 2e-6); // scipy 1.10 works in single precision here
      close(test.p, o.value.p, 3e-3);
    },
  ],
  [
    /^shapiro_wilk/,
    (o) => {
      const { x, y } = pairs(o);
      const test = answer(stats.shapiroWilkTest(stats.differences(x, y)));
      close(test.statistic, o.value.statistic);
      close(test.p, o.value.p);
    },
  ],
  [
    /^effect_sizes/,
    (o) => {
      const { x, y } = pairs(o);
      close(answer(stats.cohensD(x, y)).value, o.value.cohens_d_pooled);
      close(answer(stats.hedgesG(x, y)).value, o.value.hedges_g_exact);
      close(answer(stats.cohensD(x, y, { standardiser: "differences" })).value, o.value.dz);
      close(answer(stats.hedgesG(x, y, { standardiser: "differences" })).value, o.value.gz_exact);
      close(answer(stats.cohensD(x, y, { standardiser: "average" })).value, o.value.d_av);
      close(answer(stats.cohensD(x, y, { standardiser: "second" })).value, o.value.glass_delta);
      close(answer(stats.cliffsDelta(x, y)).estimate, o.value.cliffs_delta);
      close(answer(stats.probabilityOfSuperiority(x, y)).estimate, o.value.vargha_delaney_A12);
    },
  ],
  [
    /^effect\.dz_ci/,
    (o) => {
      const { x, y } = pairs(o);
      limitsOf(answer(stats.cohensDInterval(x, y, { standardiser: "differences" }))).forEach((v, i) => {
        close(v, o.value[i]);
      });
    },
  ],
  [
    /^bootstrap_mean_diff\./,
    (o) => {
      const method = o.name.split(".")[1]!.toLowerCase() as "bca";
      const reference = Number(/n_resamples=(\d+)/.exec(o.command)![1]);
      resampled(stats.bootstrapInterval(pairs(o).d, { method, resamples: 100_000 }), o.value.ci95, {
        reference,
        resamples: 100_000,
      });
    },
  ],
  [
    /^bootstrap_mean_diff_R_boot/,
    (o) => {
      for (const [key, method] of [
        ["percentile", "percentile"],
        ["basic", "basic"],
        ["bca", "bca"],
      ] as const) {
        resampled(
          stats.bootstrapInterval(pairs(o).d, { method, resamples: 100_000, seed: 7 }),
          o.value[key],
          { reference: 500_000, resamples: 100_000 },
        );
      }
    },
  ],
  [
    /^bootstrap_unpaired/,
    (o) => {
      const { x, y } = pairs(o);
      const interval = stats.bootstrapDifferenceInterval(x, y, { method: "percentile", resamples: 200_000 });
      resampled(interval, o.value.ci95, { reference: 600_000, resamples: 200_000 });
    },
  ],
  [/^bca_acceleration/, (o) => close(acceleration(jackknifeMeans(Float64Array.from(pairs(o).d))), o.value)],
  [
    /^bca_tie_convention/,
    (o) => {
      const interval = answer(stats.bootstrapInterval(pairs(o).d, { resamples: 1_000_000 }));
      limitsOf(interval).forEach((limit, i) => {
        near(limit, o.value.ci95_half_ties[i], 5 * o.value.sd_over_seeds[2 + i] + 3e-5);
      });
    },
  ],
  [
    /^bootstrap_fixed_resamples/,
    (o) => {
      const d = Float64Array.from(o.input.d);
      const means = Float64Array.from(
        o.input.resample_indices as number[][],
        (row) => answer(stats.mean(row.map((i) => d[i]!))).value,
      );
      const estimate = answer(stats.mean(d)).value;
      const z0 = biasCorrection(means, estimate, 0.07);
      const a = acceleration(jackknifeMeans(d));
      close(z0, o.value.z0, 1e-12);
      close(a, o.value.a, 1e-12);
      const options = { level: 0.95, side: "two-sided" } as const;
      const percentile = percentileLimits(means.slice(), options);
      [percentile.low, percentile.high].forEach((v, i) => {
        close(v, o.value.percentile_ci95[i], 1e-12);
      });
      const bca = bcaLimits(means.slice(), { z0, acceleration: a, ...options })!;
      [bca.low, bca.high].forEach((v, i) => {
        close(v, o.value.bca_ci95[i], 1e-12);
      });
    },
  ],
  [
    /^permutation_paired/,
    (o) => {
      const { d } = pairs(o);
      close(answer(stats.signFlipTest(d)).p, o.value.p_two_sided_exact, 1e-15);
      close(answer(stats.signFlipTest(d, { side: "greater" })).p, o.value.p_greater_exact, 1e-15);
      near(
        answer(stats.signFlipTest(d, { method: "sampled", resamples: 40_000 })).p,
        o.value.p_two_sided_exact,
        0.003,
      );
    },
  ],
  [
    /^permutation_independent/,
    (o) => {
      const { x, y } = o.input;
      const run = (options: stats.LabelPermutationOptions) =>
        answer(stats.labelPermutationTest(x, y, { statistic: "mean", ...options })).p;
      close(run({}), o.value.p_abs, 1e-14);
      close(run({ twoSided: "doubled" }), o.value.p_two_sided_2min, 1e-14);
      close(run({ side: "greater" }), o.value.p_greater, 1e-14);
      close(run({ side: "less" }), o.value.p_less, 1e-14);
      near(run({ method: "sampled", resamples: 40_000 }), o.value.p_abs, 0.01);
    },
  ],
  [
    /^auc_trapezoid/,
    (o) => {
      const area = answer(stats.areaUnderCurve(o.input.x, o.input.y));
      close(area.area, o.value.auc);
      close(area.mean, o.value.auc_normalised);
    },
  ],
  [
    /^cv_vs_n/,
    (o) => {
      o.value.n.forEach((n: number, i: number) => {
        const first = pairs(o).y.slice(0, n);
        close(answer(stats.coefficientOfVariation(first)).value, o.value.cv[i]);
        close(
          answer(stats.standardError(first)).value / Math.abs(answer(stats.mean(first)).value),
          o.value.relative_standard_error[i],
        );
      });
    },
  ],
  [
    /^unequal_n/,
    (o) => {
      const { x, y } = o.input;
      const welch = answer(stats.welchTest(x, y));
      close(welch.statistic, o.value.welch_t);
      close(welch.p, o.value.welch_p);
      close(welch.df!, o.value.welch_df);
      close(answer(stats.welchTest(x, y, { equalVariance: true })).p, o.value.student_p);
      close(answer(stats.cohensD(x, y)).value, o.value.cohens_d_pooled);
      close(answer(stats.hedgesG(x, y)).value, o.value.hedges_g_exact);
      close(answer(stats.cohensD(x, y, { standardiser: "average" })).value, o.value.d_av);
    },
  ],
  [
    /^percentiles_linear/,
    (o) => {
      [0.05, 0.5, 0.95, 0.99].forEach((p, i) => {
        close(answer(stats.quantile(data.pairs100!.treatment, p)).value, o.value[i]);
      });
    },
  ],
  [
    /^quantile\.type/,
    (o) => {
      const names = [
        "inverted-cdf",
        "averaged-inverted-cdf",
        "closest-observation",
        "interpolated-inverted-cdf",
        "hazen",
        "weibull",
        "linear",
        "median-unbiased",
        "normal-unbiased",
      ] as const;
      const definition = names[Number(o.name.slice(-1)) - 1]!;
      [0.05, 0.5, 0.95, 0.99].forEach((p, i) => {
        close(answer(stats.quantile(data.pairs15!.treatment, p, { definition })).value, o.value[i]);
      });
    },
  ],
  [
    /^bootstrap_ratio_of_means/,
    (o) => {
      const { x, y } = pairs(o);
      const total = (values: Float64Array) => values.reduce((sum, v) => sum + v, 0);
      const interval = stats.bootstrapPairedInterval(x, y, {
        method: "percentile",
        resamples: 100_000,
        statistic: (a, b) => total(a) / total(b),
      });
      close(answer(interval).estimate, o.value.estimate);
      close(answer(stats.ratioOfMeans(x, y, { paired: true })).estimate, o.value.estimate);
      resampled(interval, o.value.ci95, { reference: 1_000_000, resamples: 100_000 });
    },
  ],
  [
    /^bootstrap_p95/,
    (o) => {
      const interval = stats.bootstrapInterval(pairs(o).x, {
        method: "percentile",
        resamples: 20_000,
        statistic: (v) => answer(stats.quantile(v, 0.95)).value,
      });
      close(answer(interval).estimate, o.value.estimate);
      limitsOf(answer(interval)).forEach((limit, i) => {
        near(limit, o.value.ci95[i], 1e-12);
      });
    },
  ],
  [
    /^pass_at_k/,
    (o) => {
      const tasks = [{ attempts: o.input.n, passed: o.input.c }];
      (o.value as number[]).forEach((expected, i) => {
        close(answer(stats.passAtK(tasks, i + 1)).value, expected);
      });
    },
  ],
  [
    /^power_two_sample/,
    (o) => close(answer(stats.tTestPower(o.input.d, o.input.n_per_group)).value, o.value),
  ],
  [
    /^power(_strict)?\./,
    (o) => {
      const design = o.name.includes("paired") ? "paired" : "two-sample";
      const tails = o.name.includes("strict") ? "both" : "effect";
      close(answer(stats.tTestPower(o.value.delta, o.value.n, { design, tails })).value, o.value.power);
    },
  ],
  [
    /^required_n\.two_prop/,
    (o) => close(answer(stats.sampleSizeForProportions(0.53, 0.58)).exact, o.value.n, 1e-6),
  ],
  [
    /^required_n\./,
    (o) => {
      const design = o.name.includes("paired") ? "paired" : "two-sample";
      const options = {
        design,
        tails: "effect",
        side: o.name.includes("one_sided") ? "one-sided" : "two-sided",
      } as const;
      const size = answer(stats.sampleSize(o.value.delta, o.value.power, options));
      close(size.exact, o.value.n, 1e-6); // R solves for n to 1e-4 only
      close(answer(stats.tTestPower(o.value.delta, size.exact, options)).value, o.value.power, 1e-11);
    },
  ],
  [
    /^min_detectable/,
    (o) => {
      const design = o.name.includes("paired") ? "paired" : "two-sample";
      const effect = answer(stats.minimumDetectableEffect(15, 0.8, { design, tails: "effect" })).value;
      close(effect, o.value.delta, 1e-4); // R solves to 1e-4 only
      close(answer(stats.tTestPower(effect, 15, { design, tails: "effect" })).value, 0.8, 1e-11);
    },
  ],
  [
    /^p_adjust/,
    (o) => {
      const by = {
        holm: stats.holm,
        BH: stats.benjaminiHochberg,
        bonferroni: stats.bonferroni,
        hochberg: stats.hochberg,
        BY: stats.benjaminiYekutieli,
      };
      const { adjusted } = answer(by[o.name.split(".")[1] as "holm"](o.input.p));
      adjusted.forEach((p, i) => {
        close(p, o.value[i]);
      });
    },
  ],
  [/^fisher_exact/, (o) => close(answer(stats.fisherTest(o.input.table[0], o.input.table[1])).p, o.value.p)],
  [
    /^two_prop_chisq/,
    (o) => {
      const [a, b] = o.input.success.map((successes: number, i: number) => ({ successes, n: o.input.n[i] }));
      const test = answer(stats.twoProportionTest(a, b, { continuity: o.name.endsWith("_cc") }));
      close(test.statistic ** 2, o.value.chisq);
      close(test.p, o.value.p);
    },
  ],
  [
    /^wilson_ci/,
    (o) =>
      limitsOf(answer(stats.wilsonInterval(27, 50))).forEach((v, i) => {
        close(v, o.value[i]);
      }),
  ],
  [
    /^clopper/,
    (o) =>
      limitsOf(answer(stats.clopperPearsonInterval(27, 50))).forEach((v, i) => {
        close(v, o.value[i]);
      }),
  ],
  [/^mcnemar_exact/, (o) => close(answer(stats.mcnemarTest(o.input.b, o.input.c)).p, o.value)],
  [
    /^mcnemar_chisq/,
    (o) => {
      const test = answer(stats.mcnemarTest(12, 4, { method: "chi-square" }));
      close(test.statistic, o.value.chisq);
      close(test.p, o.value.p);
    },
  ],
  [
    /^anova/,
    (o) => {
      const test = answer(stats.anovaTest(o.input.groups));
      close(test.statistic, o.value.F);
      close(test.p, o.value.p);
    },
  ],
  [
    /^(kruskal|friedman)/,
    (o) => {
      const test = answer(
        (o.name.startsWith("k") ? stats.kruskalWallisTest : stats.friedmanTest)(o.input.groups),
      );
      close(test.statistic, o.value.statistic);
      close(test.p, o.value.p);
    },
  ],
  [
    /^tukey_hsd/,
    (o) => {
      answer(stats.tukeyTest(o.input.groups)).pairs.forEach((pair, i) => {
        close(pair.difference, o.value.diff[i]);
        close(pair.low, o.value.lwr[i]);
        close(pair.high, o.value.upr[i]);
        close(pair.p, o.value.p_adj[i]);
      });
    },
  ],
  [
    /^spearman/,
    (o) => {
      const { value, p } = answer(stats.rankCorrelation(o.input.x, o.input.y));
      close(value, o.value.rho);
      close(p, o.value.p);
    },
  ],
  [
    /^pearson/,
    (o) => {
      const r = answer(stats.correlation(o.input.x, o.input.y));
      close(r.estimate, o.value.r);
      close(r.p, o.value.p);
      limitsOf(r).forEach((v, i) => {
        close(v, o.value.ci95[i]);
      });
    },
  ],
  [
    /^dist\./,
    (o) => {
      const by: Record<string, (...args: number[]) => number> = {
        pnorm: stats.normalCdf,
        qnorm: stats.normalQuantile,
        pt: (t, df, shift = 0) => stats.noncentralTCdf(t!, df!, shift),
        qt: stats.tQuantile,
        pf: stats.fCdf,
        pchisq: stats.chi2Cdf,
        qchisq: stats.chi2Quantile,
        pbeta: stats.incompleteBeta,
        qbeta: stats.betaQuantile,
        lgamma: stats.lnGamma,
        ptukey: stats.studentizedRangeCdf,
        psignrank: stats.signedRankCdf,
        pwilcox: stats.rankSumCdf,
        pbinom: stats.binomialCdf,
      };
      const [, name, args] = /^(\w+)\((.*)\)$/.exec(o.command)!;
      const columns: number[][] = JSON.parse(
        `[${args!
          .replace(/ncp=/, "")
          .replace(/c\(([^)]*)\)/g, "[$1]")
          .replace(/(^|[[,\s])\./g, "$10.")}]`,
      ).map((v: number | number[]) => [v].flat());
      const rows = Math.max(...columns.map((c) => c.length));
      for (let i = 0; i < rows; i++) {
        close(by[name!]!(...columns.map((c) => c[i % c.length]!)), [o.value].flat()[i]!, 1e-10);
      }
    },
  ],
];

/** Erlang C is queueing theory, which the tests of sched-sim check in their own way. */
const statistical = oracles.filter(({ name }) => name !== "erlang_c");

describe("values of scipy and R", () => {
  test.each(statistical.map((o) => [`${o.name} (${o.tool.split(",")[0]})`, o] as const))("%s", (_, o) => {
    const found = check.find(([pattern]) => pattern.test(o.name));
    expect(found, `no check for ${o.name}`).toBeDefined();
    found![1](o);
  });
});
