/** 目: the first character of 目録, catalogue. Also drawn in index.html, which shows it before any script, and in favicon.svg. */
export const Logo = ({ size = 28 }: { size?: number }) => (
  <svg className="seal" viewBox="0 0 28 28" width={size} height={size} aria-hidden>
    <rect width="28" height="28" rx="6" />
    <path d="M9 6.5h10v15H9zM9 11.5h10M9 16.5h10" />
  </svg>
)
