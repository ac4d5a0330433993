/** Small trajectories of every format, all telling the same two turns; what a format can't tell is left out. */
const TASK = "Make the lamp work.";
const SYSTEM = "You mend things.";
const PATCH = "diff --git a/lamp b/lamp\n+on\n";
const STEPS = [
  { thought: "Look first.", action: "cat lamp", observation: "off" },
  { thought: "Now mend it.", action: "echo on > lamp", observation: "" },
];
const HISTORY = [
  { role: "system", content: SYSTEM },
  { role: "user", content: TASK },
  { role: "assistant", content: "Look first.\ncat lamp", thought: "Look first.", action: "cat lamp" },
  { role: "user", content: "off" },
  {
    role: "assistant",
    content: "Now mend it.\necho on > lamp",
    thought: "Now mend it.",
    action: "echo on > lamp",
  },
];
const INFO = { exit_status: "submitted", submission: PATCH };
const STATS = { instance_cost: 0.5, tokens_sent: 300, tokens_received: 40, api_calls: 3 };

const sweAgentOld = {
  environment: "swe_main",
  trajectory: STEPS.map((step) => ({ ...step, response: step.thought, state: '{"open_file": "n/a"}' })),
  history: HISTORY,
  info: { ...INFO, model_stats: { total_cost: 9, ...STATS } },
};

const sweAgentOne = {
  environment: "house__lamp-1",
  trajectory: STEPS.map((step) => ({ ...step, execution_time: 0.25, state: {}, query: [], extra_info: {} })),
  history: HISTORY,
  info: { ...INFO, swe_agent_version: "1.1.0", model_stats: STATS },
  replay_config: JSON.stringify({
    agent: { model: { name: "maker/model-1", per_instance_cost_limit: 2, per_instance_call_limit: 0 } },
  }),
};

const TURN_TOKENS = [
  { raw_input: 80, cached_input: 0, output: 10, internal_reasoning: 4 },
  { raw_input: 20, cached_input: 100, output: 30, internal_reasoning: 0 },
];
const sweAgentTurns = {
  environment: "house__lamp-1",
  trajectory: STEPS.map((step, i) => ({
    ...step,
    execution_time: 0.25,
    turn_statistics: { cost: 0.1 * (i + 1), tokens: TURN_TOKENS[i], inference_time: 750 },
  })),
  history: HISTORY,
  info: {
    ...INFO,
    exit_status: "submitted (exit_cost)",
    model_stats: { instance_cost: 0.375, api_calls: 3 },
    agent_model_stats: {
      instance_cost: 0.25,
      api_calls: 2,
      tokens: { raw_input: 100, cached_input: 100, output: 40, internal_reasoning: 4 },
    },
    summary_model_stats: {
      instance_cost: 0.125,
      api_calls: 1,
      tokens: { raw_input: 60, cached_input: 0, output: 20, internal_reasoning: 0 },
    },
  },
  summaries: [{ summary: "The lamp was off.", context: [], statistics: {} }],
};

const retried = {
  attempts: [sweAgentOld, sweAgentOne],
  trajectory: sweAgentOne.trajectory,
  history: HISTORY,
  environment: "house__lamp-1",
  info: {
    ...INFO,
    best_attempt_idx: 1,
    model_stats: { ...STATS, instance_cost: 1 },
    rloop_model_stats: { instance_cost: 0.25, tokens_sent: 50, tokens_received: 5, api_calls: 2 },
  },
};

const miniOne = {
  instance_id: "house__lamp-1",
  trajectory_format: "mini-swe-agent-1",
  info: {
    exit_status: "Submitted",
    submission: PATCH,
    mini_version: "1.9.0",
    model_stats: { instance_cost: 0.5, api_calls: 2 },
    config: { agent: { step_limit: 0, cost_limit: 3 }, model: { model_name: "maker/model-1" } },
  },
  messages: [
    { role: "system", content: SYSTEM },
    { role: "user", content: TASK },
    ...STEPS.flatMap(({ thought, action, observation }, i) => [
      {
        role: "assistant",
        content: `THOUGHT: ${thought}\n\n\`\`\`bash\n${action}\n\`\`\``,
        extra: {
          response: {
            usage: {
              prompt_tokens: [80, 120][i],
              completion_tokens: [10, 30][i],
              prompt_tokens_details: { cached_tokens: [0, 100][i] },
              completion_tokens_details: { reasoning_tokens: [4, 0][i] },
              cost: [0.2, 0.3][i],
            },
          },
        },
      },
      { role: "user", content: observation },
    ]),
  ],
};

const miniOneOne = {
  trajectory_format: "mini-swe-agent-1.1",
  info: { ...miniOne.info, mini_version: "2.0.0" },
  messages: [
    { role: "system", content: SYSTEM },
    { role: "user", content: [{ type: "text", text: TASK }] },
    ...STEPS.flatMap(({ thought, action, observation }, i) => [
      {
        role: "assistant",
        content: thought,
        tool_calls: [
          { id: `c${i}`, function: { name: "bash", arguments: JSON.stringify({ command: action }) } },
        ],
        extra: { cost: [0.2, 0.3][i], timestamp: 1000 + i * 2 },
      },
      { role: "tool", tool_call_id: `c${i}`, content: observation, extra: { timestamp: 1001 + i * 2 } },
    ]),
    { role: "exit", content: PATCH, extra: { exit_status: "Submitted", submission: PATCH } },
  ],
};

const atif = {
  schema_version: "ATIF-v1.5",
  session_id: "s",
  agent: { name: "mender", version: "1", model_name: "maker/model-1" },
  steps: [
    { step_id: 1, timestamp: "2026-01-01T00:00:00Z", source: "system", message: SYSTEM },
    { step_id: 2, source: "user", message: TASK },
    ...STEPS.map(({ thought, action, observation }, i) => ({
      step_id: i + 3,
      timestamp: `2026-01-01T00:00:0${i + 1}Z`,
      source: "agent",
      message: thought,
      tool_calls: [{ tool_call_id: `c${i}`, function_name: "bash", arguments: { command: action } }],
      observation: { results: [{ source_call_id: `c${i}`, content: observation }] },
      metrics: {
        prompt_tokens: [80, 120][i],
        completion_tokens: [10, 30][i],
        cached_tokens: [0, 100][i],
        cost_usd: [0.2, 0.3][i],
      },
    })),
  ],
};

export const trajectoryFiles: Record<string, unknown> = {
  "swe-agent": sweAgentOld,
  "swe-agent-1": sweAgentOne,
  "swe-agent-turns": sweAgentTurns,
  "mini-swe-agent-1": miniOne,
  "mini-swe-agent-1.1": miniOneOne,
  "mini-swe-agent-0": miniOne.messages,
  "atif v1.5": atif,
  assay: { ...sweAgentTurns, info: { ...sweAgentTurns.info, assay_version: "0.1.0" } },
};

export const retriedFile: unknown = retried;
