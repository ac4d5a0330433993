# Sourced by the agents: leave_records OUT_DIR NAME TASK TOKENS USD ACTION
# What Assay reads of any program: agent_metrics.json, and the agent's steps as an ATIF trajectory.
leave_records() {
  printf '{"tokens_total": %s, "tool_calls": 1, "money_spent_usd": %s}\n' "$4" "$5" > "$1/agent_metrics.json"
  cat > "$1/trajectory.json" <<JSON
{
  "schema_version": "ATIF-v1.4",
  "session_id": "$2-$3",
  "agent": {"name": "$2", "version": "1", "model_name": "none"},
  "steps": [
    {"step_id": 1, "source": "user", "message": "Task $3"},
    {
      "step_id": 2,
      "source": "agent",
      "message": "I know this one by heart, or I don't.",
      "tool_calls": [{"tool_call_id": "1", "function_name": "shell", "arguments": {"command": "$6"}}],
      "observation": {"results": [{"source_call_id": "1", "content": ""}]},
      "metrics": {"prompt_tokens": $4, "completion_tokens": 0, "cost_usd": $5}
    }
  ]
}
JSON
}
