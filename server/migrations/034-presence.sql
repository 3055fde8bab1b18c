-- additive
-- Who has an entity open in an editor (server/src/presence). "expiresAt" is by the clock of the database.
CREATE TABLE "presence" (
  "_id" TEXT PRIMARY KEY,
  "entityType" TEXT NOT NULL,
  "entityId" TEXT NOT NULL,
  "userId" TEXT NOT NULL,
  "server" TEXT NOT NULL,
  "expiresAt" TEXT NOT NULL
);
CREATE INDEX "presence_entity" ON "presence" ("entityId", "_id");
CREATE INDEX "presence_server" ON "presence" ("server");
CREATE INDEX "presence_expiry" ON "presence" ("expiresAt");
