-- additive
-- The request or the job that enqueued a job, as a W3C traceparent, where that is traced (server/src/telemetry).
ALTER TABLE "jobs" ADD COLUMN "traceparent" TEXT;
