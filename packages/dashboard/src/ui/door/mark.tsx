/** The logo of the product. Its name is beside it, so the image has no text. */
export function Mark({ size = 28 }: { size?: number }) {
  return <img src="/mark.svg" width={size} height={size} alt="" />
}
