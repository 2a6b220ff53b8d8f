interface SuggestionsProps {
  /** The `list` of the text field. */
  id: string
  values: readonly (string | number)[]
}

/** What a text field offers, in the browser's own list. Everything else can be typed. */
export const Suggestions = ({ id, values }: SuggestionsProps) => (
  <datalist id={id}>
    {[...new Set(values.map(String))].map((value) => (
      <option key={value} value={value} />
    ))}
  </datalist>
)
