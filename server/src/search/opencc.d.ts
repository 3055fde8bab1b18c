// The package has types for its converters, but not for their dictionaries: "from to|from to to2|…".
declare module 'opencc-js/dict/*' {
  const lines: string
  export default lines
}
