import { withPasswordCost } from "./password-cost";

// Unit tests sign in hundreds of times. Tests of the hashing itself set another cost.
withPasswordCost(10);
