-- Tags below a tag were counted as uses of it, by characters. What media and characters carry is counted anew.
UPDATE "tags" SET
  "mediaCount" = (SELECT count(*) FROM "links" WHERE "toId" = "tags"."_id" AND "fromKind" = 'Media'),
  "characterCount" = (SELECT count(*) FROM "links" WHERE "toId" = "tags"."_id" AND "fromKind" = 'Character');
UPDATE "tags" SET "usageCount" = "mediaCount" + "characterCount";
UPDATE "counters" SET "value" = COALESCE((
  SELECT sum("usageCount") FROM "tags" WHERE "deletedAt" IS NULL AND 'tagUsage.' || "type" = "counters"."name"), 0)
  WHERE "name" LIKE 'tagUsage.%';
