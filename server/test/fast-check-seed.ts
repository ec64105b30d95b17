import fc from "fast-check";

// All runs use the same examples, because a random failure is hard to reproduce. To search further: FAST_CHECK_SEED=…
// npm test -- unit
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20261120) });
