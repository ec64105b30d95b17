import { vi } from "vitest";

// Unit tests sign in hundreds of times. Those of the hashing itself take the mock away.
vi.mock("../auth/password-cost", () => ({ passwordCost: { ln: 10, r: 8, p: 1 } }));
