for(const f of document.querySelectorAll('.chart')){
const d=f.querySelector('details.cross'),s=f.querySelector('svg.plot');
if(!d||!s)continue;
const b=f.querySelector('.draw'),t=d.querySelector('table'),h=[...t.tHead.rows[0].cells].map(c=>c.textContent),r=t.tBodies[0].rows;
const l=document.createElement('div'),p=document.createElement('div');
l.className='hair';p.className='tip';l.hidden=p.hidden=true;b.append(l,p);
const away=()=>{l.hidden=p.hidden=true};
b.addEventListener('pointermove',e=>{
const x=s.getBoundingClientRect(),o=b.getBoundingClientRect(),u=(e.clientX-x.left)/x.width;
if(u<0||u>=1||!r.length)return away();
const c=r[Math.floor(u*r.length)].cells;
p.replaceChildren(...h.map((n,i)=>{const q=document.createElement(i?'span':'b');q.textContent=i?n+': '+c[i].textContent:c[0].textContent;return q}));
l.hidden=p.hidden=false;
const m=e.clientX-o.left;
l.style.left=m+'px';
p.style.left=Math.max(0,Math.min(o.width-p.offsetWidth,m>o.width/2?m-p.offsetWidth-12:m+12))+'px'});
b.addEventListener('pointerleave',away)}
