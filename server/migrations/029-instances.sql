-- additive
-- The servers that use a PostgreSQL database (server/src/database/instances.ts). "seenAt" is by the clock of the database.
CREATE TABLE "instances" (
  "_id" TEXT PRIMARY KEY,
  "place" TEXT NOT NULL,
  "host" TEXT NOT NULL,
  "version" TEXT NOT NULL,
  "schema" TEXT NOT NULL,
  "secret" TEXT NOT NULL,
  "storage" TEXT NOT NULL,
  "startedAt" TEXT NOT NULL,
  "seenAt" TEXT NOT NULL
);
