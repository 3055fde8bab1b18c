-- additive
-- For how many days versions, activities and the audit log are kept; 0 for ever (server/src/retention).
ALTER TABLE "settings" ADD COLUMN "keepVersionsDays" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "settings" ADD COLUMN "keepActivitiesDays" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "settings" ADD COLUMN "keepAuditDays" INTEGER NOT NULL DEFAULT 0;
-- The changed texts of a version go with it, and each version that goes is looked up here.
CREATE INDEX "history_revision" ON "history" ("revisionId");
-- The last audit entry that is not kept any more, and its hash: what the first that is kept follows.
ALTER TABLE "auditHead" ADD COLUMN "deletedSeq" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "auditHead" ADD COLUMN "deletedHash" TEXT NOT NULL DEFAULT '0000000000000000000000000000000000000000000000000000000000000000';

-- only sqlite
DROP TRIGGER "audit_undeleted";
-- only sqlite
CREATE TRIGGER "audit_undeleted" BEFORE DELETE ON "audit" WHEN OLD."seq" > COALESCE((SELECT "deletedSeq" FROM "auditHead"), 0) BEGIN SELECT RAISE(ABORT, 'The audit log is append-only'); END;
-- only sqlite
CREATE TRIGGER "auditHead_kept" BEFORE UPDATE ON "auditHead" WHEN NEW."deletedSeq" < OLD."deletedSeq" OR NEW."deletedSeq" > NEW."seq" BEGIN SELECT RAISE(ABORT, 'The audit log is append-only'); END;

-- only postgres
CREATE FUNCTION "refuseAuditDeletion"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF OLD."seq" > COALESCE((SELECT "deletedSeq" FROM "auditHead"), 0) THEN RAISE EXCEPTION 'The audit log is append-only'; END IF; RETURN OLD; END $$;
-- only postgres
DROP TRIGGER "audit_unchanged" ON "audit";
-- only postgres
CREATE TRIGGER "audit_unchanged" BEFORE UPDATE ON "audit" FOR EACH ROW EXECUTE FUNCTION "refuseAuditChange"();
-- only postgres
CREATE TRIGGER "audit_undeleted" BEFORE DELETE ON "audit" FOR EACH ROW EXECUTE FUNCTION "refuseAuditDeletion"();
-- only postgres
CREATE TRIGGER "auditHead_kept" BEFORE UPDATE ON "auditHead" FOR EACH ROW WHEN (NEW."deletedSeq" < OLD."deletedSeq" OR NEW."deletedSeq" > NEW."seq") EXECUTE FUNCTION "refuseAuditChange"();
