/** Shown until the first answer of the service, like the content of index.html. */
export function Connecting() {
  return (
    <p className="connecting" role="status">
      Connecting…
    </p>
  )
}
