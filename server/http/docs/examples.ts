import { defaultLimits } from "../../contract/limits";
import type { OperationId } from "../../contract/operations";
import { parsePolicy } from "../../limits/policies";

type Json = { [key: string]: unknown };

const sample = { email: "ada@lovelace.org", name: "Ada Lovelace", status: "pending" };
const sampleRecord = {
  id: "01a1fab8-221d-73cc-bf6f-88bbf811ce3c",
  ...sample,
  created_at: "2026-06-11T17:00:00+00:00",
};
const sampleWindows = (limit: string) =>
  parsePolicy(limit).map(({ name, quota, windowSeconds }) => ({
    name,
    quota,
    window_seconds: windowSeconds,
    remaining: quota - 1,
    reset_seconds: windowSeconds - 18,
  }));
/** One example of an answer, by the name that the reference shows above it. */
const answer = (name: string, data: unknown, more: Json = {}) => ({
  [name]: { value: { success: true, data, ...more } },
});

/** A request and its answers by status, for each operation. */
export const examples: Partial<Record<OperationId, { body?: Json; answers: Record<string, Json> }>> = {
  createSubscriber: {
    body: { pending: { value: sample } },
    answers: { 201: answer("created", sampleRecord), 200: answer("valid", { valid: true }) },
  },
  createSubscribers: {
    body: { two: { value: [sample, { email: "grace@navy.mil", name: null }] } },
    answers: {
      201: {
        ...answer("created", { created: [sampleRecord] }),
        ...answer("on_duplicate=skip", {
          created: [sampleRecord],
          skipped: [{ index: 1, email: "grace@navy.mil", reason: "already_subscribed" }],
        }),
      },
      200: answer("valid", { valid: true }),
    },
  },
  listSubscribers: {
    answers: {
      200: answer("page", [sampleRecord], {
        pagination: { limit: 1, total: 12408, next_cursor: "AaH6uCIdc8y_b4i7-BHOPA" },
      }),
    },
  },
  getSubscriber: { answers: { 200: answer("person", sampleRecord) } },
  updateSubscriber: {
    body: { "another name": { value: { name: "Ada King" } } },
    answers: { 200: answer("changed", { ...sampleRecord, name: "Ada King" }) },
  },
  deleteSubscriber: {
    answers: { 200: answer("unsubscribed", { ...sampleRecord, status: "unsubscribed" }) },
  },
  getMe: {
    answers: {
      200: answer("key", {
        newsletter: { id: "01a1fab8-1f00-7a11-8000-5b1d5e1f0a01", name: "Weekly" },
        key: {
          id: "01a1fab8-1f05-7bd2-9c3e-2f6f0a7b1c02",
          name: "Shop",
          permissions: ["subscribers:read", "subscribers:write"],
          expires_at: null,
        },
        rate_limits: {
          single: sampleWindows(defaultLimits.single),
          bulk: sampleWindows(defaultLimits.bulk),
        },
      }),
    },
  },
};
