-- additive
-- The asset whose file an upload in parts replaces, and the version of it that its sender has seen. A server of the
-- previous version, which does not know them, would make a new asset of the whole file: to keep it from that, the size of
-- such an upload is stored as one byte more, so that to that server the file is never complete.
ALTER TABLE "uploads" ADD COLUMN "replaces" TEXT;
ALTER TABLE "uploads" ADD COLUMN "baseVersion" INTEGER;
