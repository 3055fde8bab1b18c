-- additive
-- No query finds the rows of a server by this index: each server knows the ids of its own (server/src/presence/rows.ts).
DROP INDEX "presence_server";
