// The package types its converters, not the dictionaries they are made of: "from to|from to to2|…".
declare module 'opencc-js/dict/*' {
  const lines: string
  export default lines
}
