-- additive
-- Where the log of PostgreSQL ended after the last write of a session (server/src/access/positions.ts), and which servers
-- note that because they read from replicas.
ALTER TABLE "sessions" ADD COLUMN "position" TEXT;

ALTER TABLE "instances" ADD COLUMN "readsReplicas" INTEGER NOT NULL DEFAULT 0;
