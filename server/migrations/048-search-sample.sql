-- additive
-- concurrently
-- A sample of the search texts: what a hundred thousand titles hold is found in it sooner (server/src/search/sample.ts).
-- only postgres
CREATE INDEX "labels_sample" ON "labels" USING gin ("grams") WITH (gin_pending_list_limit = 64) WHERE "id" % 64 = 0;
