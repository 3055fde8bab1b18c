-- additive
-- What users have open at the same time, counted by all servers together (server/src/database/slots.ts): a row each, which
-- counts while its server lives.
CREATE TABLE "slots" (
  "_id" TEXT PRIMARY KEY,
  "name" TEXT NOT NULL,
  "instanceId" TEXT NOT NULL
);
CREATE INDEX "slots_name" ON "slots" ("name", "instanceId");
