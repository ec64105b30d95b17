import { type Fault, faults } from "../../contract/error-codes";
import type { OperationId } from "../../contract/operations";
import { meanings } from "./manual";

type Json = { [key: string]: unknown };

const sample = { email: "ada@lovelace.org", name: "Ada Lovelace", status: "pending" };
const sampleRecord = {
  id: "01a1fab8-221d-73cc-bf6f-88bbf811ce3c",
  ...sample,
  created_at: "2026-06-11T17:00:00+00:00",
};
const sampleWindows = (windows: [string, number, number][]) =>
  windows.map(([name, quota, window_seconds]) => ({
    name,
    quota,
    window_seconds,
    remaining: quota - 1,
    reset_seconds: window_seconds - 18,
  }));

/** A request and its answers, by operation; names are what the manual shows above them. */
export const examples: Partial<Record<OperationId, { body?: Json; answers: Record<string, Json> }>> = {
  createSubscriber: {
    body: { pending: { value: sample } },
    answers: {
      201: { created: { value: { success: true, data: sampleRecord } } },
      200: { valid: { value: { success: true, data: { valid: true } } } },
    },
  },
  createSubscribers: {
    body: { two: { value: [sample, { email: "grace@navy.mil", name: null }] } },
    answers: {
      201: {
        created: { value: { success: true, data: { created: [sampleRecord] } } },
        "on_duplicate=skip": {
          value: {
            success: true,
            data: {
              created: [sampleRecord],
              skipped: [{ index: 1, email: "grace@navy.mil", reason: "already_subscribed" }],
            },
          },
        },
      },
      200: { valid: { value: { success: true, data: { valid: true } } } },
    },
  },
  listSubscribers: {
    answers: {
      200: {
        page: {
          value: {
            success: true,
            data: [sampleRecord],
            pagination: { limit: 1, total: 12408, next_cursor: "AaH6uCIdc8y_b4i7-BHOPA" },
          },
        },
      },
    },
  },
  getSubscriber: { answers: { 200: { person: { value: { success: true, data: sampleRecord } } } } },
  updateSubscriber: {
    body: { "another name": { value: { name: "Ada King" } } },
    answers: {
      200: { changed: { value: { success: true, data: { ...sampleRecord, name: "Ada King" } } } },
    },
  },
  deleteSubscriber: {
    answers: {
      200: { left: { value: { success: true, data: { ...sampleRecord, status: "unsubscribed" } } } },
    },
  },
  getMe: {
    answers: {
      200: {
        key: {
          value: {
            success: true,
            data: {
              newsletter: { id: "01a1fab8-1f00-7a11-8000-5b1d5e1f0a01", name: "Weekly" },
              key: {
                id: "01a1fab8-1f05-7bd2-9c3e-2f6f0a7b1c02",
                name: "Shop",
                permissions: ["subscribers:read", "subscribers:write"],
                expires_at: null,
              },
              rate_limits: {
                single: sampleWindows([
                  ["minute", 60, 60],
                  ["hour", 500, 3600],
                  ["day", 3000, 86400],
                ]),
                bulk: sampleWindows([
                  ["minute", 10, 60],
                  ["hour", 100, 3600],
                  ["day", 500, 86400],
                ]),
              },
            },
          },
        },
      },
    },
  },
};

/** What a rejection looks like, one of each code. */
export function rejectionExamples(list: Fault[]): Json {
  return Object.fromEntries(
    list.map((fault) => {
      const { code } = faults[fault];
      const errors =
        fault === "rate_limit_exceeded"
          ? { retry_after: 42 }
          : fault === "email_already_subscribed" || fault === "validation_error"
            ? { email: [meanings[fault]] }
            : undefined;
      return [
        fault,
        { value: { success: false, code, message: meanings[fault], ...(errors && { errors }) } },
      ];
    }),
  );
}
