// Asks who is signed in while the code of the dashboard still loads. src/shell/session.ts takes the answer.
window.svcSession = fetch('/api/dashboard/session')
