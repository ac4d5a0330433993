/** What `assay init` writes. */
export const firstStudy = `# A first study. Run it: assay run study.yaml
# All keys: docs/reference/study.md, or \`assay setup schema\` for your editor.

study: first-study
question: Which policy finishes workflows soonest, and at what cost?

# What is measured: a target that ships with Assay (\`assay list\`), a file of yours (./my-target.ts),
# or a program: {command: [python3, train.py, "\${args}", --seed, "\${seed}"]}
target: sched-sim

# Parameters that stay the same in every run. \`assay list sched-sim\` shows them all.
params: {pdfs: 5, iters: 2, subqueries: 3}

# Parameters that vary; the runs are their product.
matrix:
  workflows: [20]
  policy: [fifo_cheapest, full]

# Named changes against the baseline (ablations).
variants:
  - baseline
  - {name: no_hedge, params: {disable_hedging: true}}

# Keep only some combinations.
where: policy == 'full' || variant == 'baseline'

seeds: 5            # 1 to 5; or a list: [1, 2, 3]

limits: {timeout: 2m, retries: 1}

analysis: {metric: makespan_p95_ms, goal: minimize, baseline: {policy: fifo_cheapest}}
`;
