import { createStore } from '#lib/createStore.ts'

export interface Toast {
  id: number
  tone: 'success' | 'error' | 'info'
  message: string
  detail?: string | undefined
  /** With which the detail ends, to be copied: the toast stays until it is dismissed. */
  requestId?: string | undefined
  /** Undoes what the message reports. */
  undo?: (() => void) | undefined
}

const SHOWN = 5
export const toasts = createStore<readonly Toast[]>([])
let last = 0

export const dismiss = (id: number) => toasts.set(toasts.get().filter((each) => each.id !== id))

/** Our own instead of Mantine's: error toasts must work offline, so this cannot be a lazily loaded chunk. */
export const toast = {
  success: (message: string) => show({ tone: 'success', message }),
  info: (message: string) => show({ tone: 'info', message }),
  error: (message: string, detail?: string, requestId?: string) => show({ tone: 'error', message, detail, requestId }),
  undo: (message: string, undo: () => void) => show({ tone: 'success', message, undo }),
}

/** Returns the id of the toast. */
function show(next: Omit<Toast, 'id'>) {
  const others = toasts.get().filter((each) => next.undo || saidBy(each) !== saidBy(next))
  toasts.set([...others.slice(1 - SHOWN), { ...next, id: ++last }])
  return last
}

/** What a toast says; the same failure has another request id each time. */
const saidBy = ({ message, detail = '', requestId = '' }: Omit<Toast, 'id'>) =>
  message + detail.slice(0, detail.length - requestId.length)
