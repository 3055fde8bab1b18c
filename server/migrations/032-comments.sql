-- What people say about an entity. `mentions` is a JSON list of the ids of users.

CREATE TABLE "comments" (
  "_id" TEXT PRIMARY KEY,
  "entityType" TEXT NOT NULL,
  "entityId" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  "mentions" TEXT NOT NULL,
  "createdBy" TEXT NOT NULL,
  "createdAt" TEXT NOT NULL,
  "editedAt" TEXT,
  "resolvedAt" TEXT,
  "resolvedBy" TEXT
);
CREATE INDEX "comments_entity" ON "comments" ("entityId", "_id");
CREATE INDEX "comments_open" ON "comments" ("entityId", "_id") WHERE "resolvedAt" IS NULL;
CREATE INDEX "comments_author" ON "comments" ("createdBy", "createdAt");
