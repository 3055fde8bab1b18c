-- additive
-- What differs between the document of a revision and that of the version before, where "snapshot" is empty
-- (server/src/ledger/snapshots.ts). Written only once no older version uses the database (server/src/database/instances.ts),
-- and from then on the row of this migration says that it does more than add.
ALTER TABLE "revisions" ADD COLUMN "delta" TEXT;
