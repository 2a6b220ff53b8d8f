document.getElementById('root')!.textContent = 'Visual editor'
