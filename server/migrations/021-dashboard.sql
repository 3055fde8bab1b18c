-- Assets that somebody should look at (server/src/ledger/assetFlags.ts): nothing uses them, or their file could not be
-- processed. None that is in the trash. Their numbers and bytes are kept in the counters.
CREATE TABLE "assetFlags" (
  "flag" TEXT NOT NULL,
  "assetId" TEXT NOT NULL,
  "size" DOUBLE PRECISION NOT NULL,
  PRIMARY KEY ("assetId", "flag")
);
INSERT INTO "assetFlags" ("flag", "assetId", "size")
SELECT 'unused', "_id", "size" FROM "assets"
WHERE "deletedAt" IS NULL AND NOT EXISTS (SELECT 1 FROM "links" WHERE "toId" = "assets"."_id");
INSERT INTO "assetFlags" ("flag", "assetId", "size")
SELECT 'failed', "_id", "size" FROM "assets" WHERE "deletedAt" IS NULL AND "status" = 'ERROR';
INSERT INTO "counters" ("name", "value")
SELECT 'assetFlagCount.' || "flag", count(*) FROM "assetFlags" GROUP BY "flag";
INSERT INTO "counters" ("name", "value")
SELECT 'assetFlagSize.' || "flag", sum("size") FROM "assetFlags" GROUP BY "flag";

-- What counters were at the end of a day (UTC), for a few weeks. A day whose name is '' was noted; what has no row on
-- such a day was 0.
CREATE TABLE "counterDays" (
  "name" TEXT NOT NULL,
  "day" TEXT NOT NULL,
  "value" INTEGER NOT NULL,
  PRIMARY KEY ("name", "day")
);
CREATE INDEX "counterDays_day" ON "counterDays" ("day");
