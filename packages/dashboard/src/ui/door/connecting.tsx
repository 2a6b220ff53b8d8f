import { Mark } from './mark.tsx'

/** Shown until the first answer of the service, like the content of index.html. */
export function Connecting() {
  return (
    <>
      <div className="first-frame" aria-hidden>
        <div>
          <Mark />
          <b>Svc</b>
        </div>
        <div />
      </div>
      <p className="connecting" role="status">
        Connecting…
      </p>
    </>
  )
}
