import { type FaultCode, SENTENCES } from '@mokuroku/contract/faults'
import type { TrashKind } from '@mokuroku/contract/kinds'
import type { Uses } from '@mokuroku/contract/uses'
import { kindNamesIn, ofKinds } from '#lib/areas.ts'

const kinds = kindNamesIn('en')

/** The texts that all screens share. Some are fixed (docs/behaviour.md#messages). */
export const en = {
  /** What is wrong with a value, by the code of the fault. */
  faults: SENTENCES as Record<FaultCode, string>,
  /** Between the values that a sentence lists. */
  and: ', ',
  app: 'Admin Dashboard',
  panel: 'Admin Panel',
  nav: {
    ...ofKinds('en', ({ list }) => list),
    main: 'Main',
    dashboard: 'Dashboard',
    translations: 'Translations',
    batches: 'Batches',
    settings: 'Settings',
    audit: 'Audit Log',
  },
  kinds,
  shell: {
    skip: 'Skip to content',
    collapse: 'Collapse sidebar',
    expand: 'Expand sidebar',
    openNavigation: 'Open navigation',
    close: 'Close',
    search: 'Search or jump to',
    notifications: 'Notifications',
    noNotifications: 'No notifications yet',
    noNotificationsHint: 'Finished batches, failed uploads and rollbacks of your changes appear here.',
    userMenu: 'User menu',
    profile: 'Your Profile',
    trash: 'Trash',
    import: 'Import',
    theme: 'Theme',
    light: 'Light',
    dark: 'Dark',
    system: 'System',
    language: 'Language',
    signOut: 'Sign out',
  },
  common: {
    loading: 'Loading...',
    previousInList: 'Previous in the list ( [ )',
    nextInList: 'Next in the list ( ] )',
    firstInList: 'This is the first of the list',
    lastInList: 'This is the last of the list',
    retry: 'Retry',
    cancel: 'Cancel',
    delete: 'Delete',
    deleting: 'Deleting…',
    undo: 'Undo',
    dismiss: 'Dismiss',
    edit: 'Edit',
    view: 'View',
    reset: 'Reset',
    filter: 'Filter',
    save: 'Save',
    actions: 'Actions',
    error: 'Error',
    somethingFailed: 'Failed to load this',
    previous: 'Previous',
    next: 'Next',
    page: (page: number) => `Page ${page}`,
    showing: (from: number, to: number, total: number) => `Showing ${from} to ${to} of ${total} results`,
    pages: 'Pages',
    goTo: 'Go to',
    goToPage: 'Go to page',
    ofPages: (pages: number) => `of ${pages.toLocaleString('en')} pages`,
    pageSize: 'Rows per page',
    rows: (rows: number) => `${rows} rows`,
    bestMatch: 'Best match first',
    viewOne: (name: string) => `View ${name}`,
    editOne: (name: string) => `Edit ${name}`,
    deleteOne: (name: string) => `Delete ${name}`,
    emptyPage: 'This page is empty.',
    firstPage: 'Go to the first page',
  },
  errors: {
    401: 'Session expired. Please login again.',
    403: 'Access denied. You do not have permission for this action.',
    404: 'Resource not found.',
    reauthenticate: 'The password was not entered. Nothing was changed.',
    429: 'Too many requests. Please try again later.',
    server: 'Server error. Please try again later.',
    unexpected: 'An unexpected error occurred',
    network: 'Network error. Please check your connection.',
    screen: 'Something went wrong on this page',
    screenHint: 'No data was changed. Try again, or return to the dashboard.',
    starting: 'Cannot reach the server',
    startingHint: 'You are still signed in. Try again when you are back online.',
  },
  reauthenticate: {
    title: 'Enter your password',
    why: 'This change is protected. Confirm it with your password. You will not be asked again for ten minutes.',
    required: 'Password is required',
    wrong: 'This password is incorrect.',
    confirm: 'Confirm',
  },
  /** A sentence of the server in this language; undefined for what is not the server's own. */
  localized: (said: string): string | undefined => said,
  notFound: {
    title: 'Page not found',
    hint: 'Check the address, or return to the dashboard.',
    back: 'Back to Dashboard',
  },
  login: {
    title: 'Admin Dashboard',
    subtitle: 'Sign in to access the admin panel',
    email: 'Email',
    password: 'Password',
    show: 'Show password',
    hide: 'Hide password',
    forgot: 'Forgot password',
    submit: 'Sign in',
    submitting: 'Signing in…',
    failed: 'Login failed. Please check your credentials.',
    unconfirmed:
      'You are signed out on this device, but the server could not be reached. Your session there will be ended as soon as the server responds.',
    // The contract's schema speaks English; these give each of its sentences in the language of the console.
  },
  palette: {
    title: 'Search',
    placeholder: 'Search the catalogue, or type a command',
    screens: 'Screens',
    actions: 'Actions',
    nothing: (text: string) => `No results for “${text}”`,
    themeIs: (theme: string) => `Theme: ${theme}`,
    original: 'original title',
    indexing: 'Search index is being built. Please try again in a moment.',
    failed: 'Failed to perform search',
    keys: 'Keyboard shortcuts',
  },
  refused: {
    canCreateMedia: (tier: string) => `Your tier “${tier}” does not allow adding media.`,
    canCreateCharacter: (tier: string) => `Your tier “${tier}” does not allow adding characters.`,
    canCreateTag: (tier: string) => `Your tier “${tier}” does not allow adding tags.`,
    canEditOwnContent: (tier: string) => `Your tier “${tier}” does not allow editing your own content.`,
    canEditAnyContent: (tier: string) => `Your tier “${tier}” does not allow editing other people’s content.`,
  },
  media: {
    recent: 'Your recent media',
    recentFailed: 'Failed to load your recent media',
    ongoing: 'Ongoing',
    ongoingOf: { ANIME: 'Ongoing', MANGA: 'Ongoing', NOVEL: 'Ongoing' },
    completed: 'Completed',
    foundIn: (language: string) => `found in ${language}`,
    noImage: 'No img',
    noTranslations: 'No translations',
    noRatings: 'No ratings',
  },
  /** What is said of a wanted language of a row. */
  marks: {
    into: 'Translated into',
    filled: (language: string) => `${language}: filled`,
    empty: (language: string) => `${language}: empty`,
    suspect: (language: string) => `${language}: suspect`,
    comments: (count: number) => (count === 1 ? '1 open comment' : `${count} open comments`),
  },
  characters: {
    recent: 'Your recent characters',
    recentFailed: 'Failed to load your recent characters',
  },
  uses: {
    loading: 'Checking where it is used…',
    failed: 'Could not check where it is used.',
    nowhere: 'Not used anywhere.',
    usedBy: (counts: string[]) => `It is used by ${new Intl.ListFormat('en').format(counts)}:`,
    count: ({ entityType, fields, count, isAtLeast }: Uses['by'][number]) => {
      const number = isAtLeast ? `at least ${count.toLocaleString('en')}` : `${count}`
      if (fields.includes('parentTag')) return count === 1 ? '1 tag as its parent' : `${number} tags as their parent`
      const { one, many } = kinds[entityType as TrashKind] ?? { one: entityType, many: entityType }
      return `${number} ${count === 1 ? one : many}`
    },
    more: (count: number) => `and ${count} more`,
  },
}

export type Messages = typeof en
