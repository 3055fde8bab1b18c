-- additive
-- What each request with an Idempotency-Key has created (server/src/ledger/idempotency.ts).
CREATE TABLE "creations" (
  "key" TEXT PRIMARY KEY,
  "entityId" TEXT NOT NULL,
  "createdAt" TEXT NOT NULL
);
CREATE INDEX "creations_createdAt" ON "creations" ("createdAt");
