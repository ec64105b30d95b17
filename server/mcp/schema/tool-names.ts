/** The tools of MCP, by the names that clients see. Without zod, because the page of requests imports this file. */
export const toolNames = [
  "find_people",
  "count_people",
  "explain_person",
  "list_emails",
  "list_requests",
  "plan_import",
  "plan_bulk_action",
] as const;
export type ToolName = (typeof toolNames)[number];
