const button = document.querySelector('button')
button.onclick = () => { button.textContent = button.textContent === 'on' ? 'off' : 'on' }
