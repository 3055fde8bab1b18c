-- What is wrong with the cells of a row that is refused: the path, the sentence and its code, as JSON.
ALTER TABLE "importPlans" ADD COLUMN "errors" TEXT;
