import { test, expect } from "vitest";
import { createTestDatabase } from "../testing/database";
test("x", async () => { for (let i=0;i<5;i++){const a=performance.now(); const d = await createTestDatabase(); console.log(performance.now()-a, d.url);} expect(1).toBe(1); });
