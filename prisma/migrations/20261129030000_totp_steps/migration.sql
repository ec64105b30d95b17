-- The 30-second step of the last code that was accepted from an authenticator app: each code works once.
ALTER TABLE "staff_two_factors" ADD COLUMN "last_step" INTEGER NOT NULL DEFAULT 0;
