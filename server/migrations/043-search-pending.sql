-- additive
-- Every search reads all that was written since the index was last brought up to date: less than the 4 MB that PostgreSQL allows.
-- only postgres
ALTER INDEX "labels_grams" SET (gin_pending_list_limit = 256);
