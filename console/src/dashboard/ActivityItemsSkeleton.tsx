import { Row } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './ActivityItems.module.css'

export function ActivityItemsSkeleton({ rows }: { rows: number }) {
  return (
    <div className={css.items}>
      {Array.from({ length: rows }, (_, row) => (
        <Row key={row} gap={3} className={css.item}>
          <Skeleton width={30} height={30} round />
          <div className={css.skeleton}>
            <Skeleton width="80%" />
            <Skeleton width="40%" height={10} />
          </div>
        </Row>
      ))}
    </div>
  )
}
