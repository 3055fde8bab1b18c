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
  DEFAULT '["missing","copied","script","mixed","noCover","noTags","noDescription"]';

-- How many entities have a title or name in each language, and in the wider ones: zh-Hant-TW counts for zh-Hant and zh.

-- only sqlite
INSERT INTO "counters" ("name", "value")
WITH RECURSIVE "titles" ("kind", "id", "tag") AS (
  SELECT 'Media', "_id", "texts"."key" FROM "media", json_each("translations") AS "texts"
  WHERE "deletedAt" IS NULL AND trim(json_extract("texts"."value", '$.title'), char(9, 10, 13, 32, 160, 12288)) <> ''
  UNION ALL
  SELECT 'Character', "_id", "texts"."key" FROM "characters", json_each("translations") AS "texts"
  WHERE "deletedAt" IS NULL AND trim(json_extract("texts"."value", '$.name'), char(9, 10, 13, 32, 160, 12288)) <> ''
  UNION ALL
  SELECT 'Tag', "_id", "texts"."key" FROM "tags", json_each("translations") AS "texts"
  WHERE "deletedAt" IS NULL AND trim(json_extract("texts"."value", '$.name'), char(9, 10, 13, 32, 160, 12288)) <> ''
  UNION ALL
  SELECT "kind", "id", rtrim(rtrim("tag", replace("tag", '-', '')), '-') FROM "titles" WHERE instr("tag", '-') > 0
)
SELECT 'filledCount.' || "kind" || '.' || "tag", count(DISTINCT "id") FROM "titles" GROUP BY "kind", "tag";
-- only postgres
INSERT INTO "counters" ("name", "value")
WITH RECURSIVE "titles" ("kind", "id", "tag") AS (
  SELECT 'Media', "_id", "texts"."key" FROM "media", json_each("translations"::json) AS "texts"
  WHERE "deletedAt" IS NULL AND btrim("texts"."value" ->> 'title', E' \t\n\r\u00A0\u3000') <> ''
  UNION ALL
  SELECT 'Character', "_id", "texts"."key" FROM "characters", json_each("translations"::json) AS "texts"
  WHERE "deletedAt" IS NULL AND btrim("texts"."value" ->> 'name', E' \t\n\r\u00A0\u3000') <> ''
  UNION ALL
  SELECT 'Tag', "_id", "texts"."key" FROM "tags", json_each("translations"::json) AS "texts"
  WHERE "deletedAt" IS NULL AND btrim("texts"."value" ->> 'name', E' \t\n\r\u00A0\u3000') <> ''
  UNION ALL
  SELECT "kind", "id", rtrim(rtrim("tag", replace("tag", '-', '')), '-') FROM "titles" WHERE strpos("tag", '-') > 0
)
SELECT 'filledCount.' || "kind" || '.' || "tag", count(DISTINCT "id") FROM "titles" GROUP BY "kind", "tag";
