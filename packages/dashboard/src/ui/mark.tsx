/** The mark of the product; its name stands beside it. */
export function Mark({ size = 28 }: { size?: number }) {
  return <img src="/mark.svg" width={size} height={size} alt="" />
}
