-- What checks find of an entity that is not in the trash (server/src/findings): one row for each code, language and field.
-- '' stands for no language and no field. What somebody called no problem has no row here.
CREATE TABLE "findings" (
  "entityType" TEXT NOT NULL,
  "entityId" TEXT NOT NULL,
  "code" TEXT NOT NULL,
  "language" TEXT NOT NULL,
  "field" TEXT NOT NULL,
  "since" TEXT NOT NULL,
  PRIMARY KEY ("entityId", "code", "language", "field")
);
CREATE INDEX "findings_code" ON "findings" ("entityType", "code", "language", "entityId");

-- What is no problem, for the text whose SHA-256 is "textHash".
CREATE TABLE "dismissals" (
  "entityType" TEXT NOT NULL,
  "entityId" TEXT NOT NULL,
  "code" TEXT NOT NULL,
  "language" TEXT NOT NULL,
  "field" TEXT NOT NULL,
  "textHash" TEXT NOT NULL,
  "userId" TEXT NOT NULL,
  "username" TEXT NOT NULL,
  "createdAt" TEXT NOT NULL,
  PRIMARY KEY ("entityId", "code", "language", "field")
);

-- One row: how far the findings are checked by the rules that hold.
CREATE TABLE "findingsProgress" (
  "_id" TEXT PRIMARY KEY,
  "rules" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "cursor" TEXT NOT NULL,
  "done" INTEGER NOT NULL,
  "total" INTEGER NOT NULL,
  "isComplete" INTEGER NOT NULL
);
INSERT INTO "findingsProgress" VALUES ('findings', '', '', '', 0, 0, 0);

-- Which checks are on.
ALTER TABLE "settings" ADD COLUMN "findings" TEXT NOT NULL
  DEFAULT '["missing","copied","noCover","noTags","noDescription"]';
