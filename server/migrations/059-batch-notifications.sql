-- additive
-- For a while, the end of a batch was stored with what it did as its kind, which cannot be read.
UPDATE "notifications" SET "data" = replace("data", '"what":"delete"', '"what":"change","effect":"delete"')
  WHERE "kind" = 'BATCH_FINISHED' AND "data" LIKE '%"what":"delete"%';
UPDATE "notifications" SET "data" = replace("data", '"what":"restore"', '"what":"change","effect":"restore"')
  WHERE "kind" = 'BATCH_FINISHED' AND "data" LIKE '%"what":"restore"%';
UPDATE "notifications" SET "data" = replace("data", '"what":"import"', '"what":"change","effect":"import"')
  WHERE "kind" = 'BATCH_FINISHED' AND "data" LIKE '%"what":"import"%';
