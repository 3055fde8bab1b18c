import type { FocusEvent } from 'react'

/** Whether the focus leaves the element that handles the event, rather than moving within it. */
export const isFocusLeaving = ({ currentTarget, relatedTarget }: FocusEvent) =>
  !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))
