-- What happened that somebody may have to answer for: one chain, in which the hash of an entry covers the entry and the
-- hash before it. Nothing of it is ever changed or deleted.
CREATE TABLE "audit" (
  "seq" INTEGER PRIMARY KEY,
  "_id" TEXT NOT NULL,
  "createdAt" TEXT NOT NULL,
  "area" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "outcome" TEXT NOT NULL,
  "actorId" TEXT NOT NULL,
  "actorName" TEXT NOT NULL,
  "session" TEXT NOT NULL,
  "address" TEXT NOT NULL,
  "userAgent" TEXT NOT NULL,
  "entityType" TEXT NOT NULL,
  "entityId" TEXT NOT NULL,
  "label" TEXT NOT NULL,
  "details" TEXT NOT NULL,
  "hash" TEXT NOT NULL
);
-- A page is read from one of these, newest first. Moments never go back from one entry to the next, so that a stretch
-- of time is a stretch of numbers.
CREATE INDEX "audit_created" ON "audit" ("createdAt", "seq");
CREATE INDEX "audit_area" ON "audit" ("area", "seq");
CREATE INDEX "audit_action" ON "audit" ("action", "seq");
CREATE INDEX "audit_outcome" ON "audit" ("outcome", "seq");
CREATE INDEX "audit_actor" ON "audit" ("actorId", "seq");
CREATE INDEX "audit_entity" ON "audit" ("entityId", "seq");

-- The end of the chain, kept apart from it: one row. It is written with every entry, and so lets one in at a time.
CREATE TABLE "auditHead" (
  "_id" TEXT PRIMARY KEY,
  "seq" INTEGER NOT NULL,
  "hash" TEXT NOT NULL,
  "createdAt" TEXT NOT NULL
);
INSERT INTO "auditHead" VALUES ('head', 0, '0000000000000000000000000000000000000000000000000000000000000000', '');

-- only sqlite
CREATE TRIGGER "audit_unchanged" BEFORE UPDATE ON "audit" BEGIN SELECT RAISE(ABORT, 'The audit log is append-only'); END;
-- only sqlite
CREATE TRIGGER "audit_undeleted" BEFORE DELETE ON "audit" BEGIN SELECT RAISE(ABORT, 'The audit log is append-only'); END;
-- only sqlite
CREATE TRIGGER "auditHead_forward" BEFORE UPDATE ON "auditHead" WHEN NEW."seq" < OLD."seq" BEGIN SELECT RAISE(ABORT, 'The audit log is append-only'); END;
-- only sqlite
CREATE TRIGGER "auditHead_undeleted" BEFORE DELETE ON "auditHead" BEGIN SELECT RAISE(ABORT, 'The audit log is append-only'); END;

-- only postgres
CREATE FUNCTION "refuseAuditChange"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'The audit log is append-only'; END $$;
-- only postgres
CREATE TRIGGER "audit_unchanged" BEFORE UPDATE OR DELETE ON "audit" FOR EACH ROW EXECUTE FUNCTION "refuseAuditChange"();
-- only postgres
CREATE TRIGGER "audit_untruncated" BEFORE TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION "refuseAuditChange"();
-- only postgres
CREATE TRIGGER "auditHead_forward" BEFORE UPDATE ON "auditHead" FOR EACH ROW WHEN (NEW."seq" < OLD."seq") EXECUTE FUNCTION "refuseAuditChange"();
-- only postgres
CREATE TRIGGER "auditHead_undeleted" BEFORE DELETE ON "auditHead" FOR EACH ROW EXECUTE FUNCTION "refuseAuditChange"();
-- only postgres
CREATE TRIGGER "auditHead_untruncated" BEFORE TRUNCATE ON "auditHead" FOR EACH STATEMENT EXECUTE FUNCTION "refuseAuditChange"();
