/** What a person reads in place of the editor. */
export const Stopped = ({ text }: { text: string }) => (
  <main className="stopped" role="alert">
    <h1>The editor cannot be opened</h1>
    <p>{text}</p>
    <p>Open it again from the experiment in the dashboard: a link works once, and only for a minute.</p>
  </main>
)
