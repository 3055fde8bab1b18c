-- What a file that was sent in parts has become: kept for as long as its sender may ask again.
ALTER TABLE "uploads" ADD COLUMN "assetId" TEXT;

-- Whether a recording still holds what it says of itself: place, device, tags.
ALTER TABLE "assets" ADD COLUMN "keepsMetadata" INTEGER;
