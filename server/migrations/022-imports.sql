-- Files of entities that somebody sent to be imported: server/src/imports. The file is kept in parts until it is read.
CREATE TABLE "imports" (
  "_id" TEXT PRIMARY KEY,
  "entityType" TEXT NOT NULL,
  "filename" TEXT NOT NULL,
  "size" INTEGER NOT NULL,
  "state" TEXT NOT NULL,
  "columns" TEXT NOT NULL,
  "mapping" TEXT NOT NULL,
  "emptyCells" TEXT NOT NULL,
  "isGuarded" INTEGER NOT NULL,
  "total" INTEGER NOT NULL,
  "new" INTEGER NOT NULL,
  "changed" INTEGER NOT NULL,
  "unchanged" INTEGER NOT NULL,
  "refused" INTEGER NOT NULL,
  "duplicates" INTEGER NOT NULL,
  "reason" TEXT,
  "job" TEXT,
  "batch" TEXT,
  "userId" TEXT NOT NULL,
  "username" TEXT NOT NULL,
  "createdAt" TEXT NOT NULL,
  "expiresAt" TEXT NOT NULL
);
CREATE INDEX "imports_of_user" ON "imports" ("userId", "createdAt", "_id");
CREATE INDEX "imports_created" ON "imports" ("createdAt", "_id");
CREATE INDEX "imports_expire" ON "imports" ("expiresAt");

-- The bytes of a file in base64.
CREATE TABLE "importParts" (
  "import" TEXT NOT NULL REFERENCES "imports" ("_id") ON DELETE CASCADE,
  "seq" INTEGER NOT NULL,
  "data" TEXT NOT NULL,
  PRIMARY KEY ("import", "seq")
);

-- The rows of a file as they were sent; "line" is where they are in it.
CREATE TABLE "importRows" (
  "import" TEXT NOT NULL REFERENCES "imports" ("_id") ON DELETE CASCADE,
  "seq" INTEGER NOT NULL,
  "line" INTEGER NOT NULL,
  "cells" TEXT NOT NULL,
  "fault" TEXT,
  PRIMARY KEY ("import", "seq")
);

-- What is to become of each row, by the mapping of the columns: there for rows that are checked.
CREATE TABLE "importPlans" (
  "import" TEXT NOT NULL REFERENCES "imports" ("_id") ON DELETE CASCADE,
  "seq" INTEGER NOT NULL,
  "outcome" TEXT NOT NULL,
  "entityId" TEXT,
  "matchId" TEXT,
  "matchLine" INTEGER,
  "version" INTEGER,
  "input" TEXT,
  "changes" TEXT NOT NULL,
  "reason" TEXT,
  PRIMARY KEY ("import", "seq")
);
CREATE INDEX "importPlans_outcomes" ON "importPlans" ("import", "outcome", "seq");
CREATE INDEX "importPlans_entities" ON "importPlans" ("import", "entityId");

-- The titles of the new rows, by which later rows of the same file are likely the same.
CREATE TABLE "importKeys" (
  "import" TEXT NOT NULL REFERENCES "imports" ("_id") ON DELETE CASCADE,
  "key" TEXT NOT NULL,
  "day" INTEGER NOT NULL,
  "line" INTEGER NOT NULL,
  PRIMARY KEY ("import", "key", "day", "line")
);

-- The fields that a user's columns went to, by kind: a JSON object by header.
CREATE TABLE "importMappings" (
  "userId" TEXT NOT NULL,
  "entityType" TEXT NOT NULL,
  "mapping" TEXT NOT NULL,
  PRIMARY KEY ("userId", "entityType")
);
