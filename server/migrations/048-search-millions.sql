-- additive
-- concurrently
-- Two more indexes of the search texts, for very many of them (server/src/search/largeIndex.ts): a sample, in which what a
-- hundred thousand titles hold is found sooner, and the words of those that begin with Latin, Greek or Cyrillic letters.
-- only postgres
CREATE INDEX "labels_sample" ON "labels" USING gin ("grams") WITH (gin_pending_list_limit = 64) WHERE "id" % 64 = 0;
-- only postgres
CREATE INDEX "labels_words" ON "labels" USING gin (to_tsvector('simple', "text")) WITH (gin_pending_list_limit = 64)
  WHERE "compact" < U&'\0530';
