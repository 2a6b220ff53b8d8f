/** Like the content of index.html: the service has not answered yet. */
export function Connecting() {
  return (
    <p className="connecting" role="status">
      Connecting…
    </p>
  )
}
