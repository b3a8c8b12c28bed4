//! Pictures of models and instances.

use std::path::PathBuf;

use numpy::PyArrayDyn;
use pyo3::prelude::*;
use sinew_io::{Error as FileError, FrameTimes, OverwritePolicy, write_atomic};
use sinew_raster::Size;
use sinew_render::{GifEncoder, Histogram, Layer, RenderOptions, Renderer, write_png};

use crate::arrays::array;
use crate::errors::{bad_value, of_file, refused};
use crate::instance::Instance;
use crate::interrupts::thread_count;
use crate::lookup::optional_clip;
use crate::model::Model;

/// How many frames the palette of a GIF is chosen from.
const PALETTE_SAMPLES: usize = 12;
/// The most frames per second of a GIF. Viewers replace shorter delays by long ones.
const MAX_GIF_RATE: f64 = 50.0;

/// Checks the arguments that all pictures have.
fn render_options(
    size: (usize, usize),
    layers: &[String],
    camera: &[f64],
    compare: Option<&str>,
    heat: bool,
    threads: Option<usize>,
) -> PyResult<RenderOptions> {
    let mut options = RenderOptions::new(Size::new(size.0, size.1).map_err(refused)?);
    options.layers = layers.iter().map(|name| layer(name)).collect::<PyResult<_>>()?;
    let numbers: Vec<_> = camera.iter().map(ToString::to_string).collect();
    let parsed = numbers.join(",").parse();
    options.camera = parsed.map_err(|error: String| bad_value("camera", error, format!("{camera:?}")))?;
    options.compare = match compare {
        Some(pair) => Some(pair.parse().map_err(|error: String| bad_value("compare", error, pair))?),
        None => None,
    };
    options.heat = heat;
    options.threads = thread_count(threads, 8)?;
    Ok(options)
}

fn layer(name: &str) -> PyResult<Layer> {
    Ok(match name {
        "skin" => Layer::Skin,
        "wire" => Layer::Wire,
        "bones" => Layer::Bones,
        "silhouette" => Layer::Silhouette,
        "shadow" => Layer::Shadow,
        "normals" => Layer::Normals,
        "weights" => Layer::Weights,
        "bounds" => Layer::Bounds,
        _ => {
            let expected = "skin, wire, bones, silhouette, shadow, normals, weights or bounds";
            return Err(bad_value("layers", expected, format!("{name:?}")));
        }
    })
}

/// A picture as an array (height, width, 3).
fn pixels<'py>(
    py: Python<'py>,
    renderer: Result<Renderer, sinew_render::Error>,
    seconds: f64,
) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let mut renderer = renderer.map_err(refused)?;
    let picture = py.detach(|| renderer.picture(seconds).cloned()).map_err(refused)?;
    let size = picture.size();
    array(py, picture.bytes().to_vec(), &[size.height(), size.width(), 3])
}

#[pymethods]
impl Model {
    /// Draws the model at a time of a clip, on the CPU: an array (height, width, 3) of uint8, sRGB.
    ///
    /// The camera frames the whole clip, so pictures of one clip fit together. The same arguments
    /// give the same pixels on every machine, if the model was loaded with reproducible=True.
    ///
    /// Args:
    ///     clip: its name or index; None for the rest pose.
    ///     at: the time in the clip, in seconds.
    ///     size: width and height in pixels, (960, 600) by default.
    ///     layers: of "skin", "wire", "bones", "silhouette", "shadow", "normals", "weights",
    ///         "bounds"; by default "skin" and "shadow".
    ///     camera: (yaw, pitch) in degrees, or (yaw, pitch, distance); (30, 12) by default.
    ///     compare: two skinning methods side by side: "linear,dual".
    ///     heat: with compare, color vertices by the distance between both.
    ///
    /// >>> picture = sinew3d.load("@figure").render("walk", at=0.3, size=(320, 400))
    /// >>> picture.shape
    /// (400, 320, 3)
    #[pyo3(signature = (clip=None, at=0.0, *, size=(960, 600), layers=vec!["skin".to_owned(), "shadow".to_owned()],
                        camera=vec![30.0, 12.0], compare=None, heat=false, threads=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn render<'py>(
        &self,
        py: Python<'py>,
        clip: Option<&Bound<'py, PyAny>>,
        at: f64,
        size: (usize, usize),
        layers: Vec<String>,
        camera: Vec<f64>,
        compare: Option<&str>,
        heat: bool,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        if !at.is_finite() {
            return Err(bad_value("at", "a finite number", at));
        }
        let options = render_options(size, &layers, &camera, compare, heat, threads)?;
        let clip = optional_clip(&self.inner, clip)?;
        let renderer = py.detach(|| Renderer::new(&options, &self.inner, clip, &mut [at].into_iter()));
        pixels(py, renderer, at)
    }

    /// Draws a clip to a file: .png is one frame, at `at`; .gif is the whole clip in a loop, with
    /// `fps`. Else as `render`.
    #[pyo3(signature = (path, clip=None, at=0.0, *, fps=25.0, size=(960, 600),
                        layers=vec!["skin".to_owned(), "shadow".to_owned()], camera=vec![30.0, 12.0],
                        threads=None, overwrite=false))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn render_to(
        &self,
        py: Python<'_>,
        path: PathBuf,
        clip: Option<&Bound<'_, PyAny>>,
        at: f64,
        fps: f64,
        size: (usize, usize),
        layers: Vec<String>,
        camera: Vec<f64>,
        threads: Option<usize>,
        overwrite: bool,
    ) -> PyResult<()> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let is_gif = extension == "gif";
        if !is_gif && extension != "png" {
            return Err(bad_value("path", "a name that ends with .png or .gif", path.display()));
        }
        if is_gif && !(fps > 0.0 && fps <= MAX_GIF_RATE) {
            return Err(bad_value("fps", format!("a number above zero, at most {MAX_GIF_RATE}"), fps));
        }
        if !at.is_finite() {
            return Err(bad_value("at", "a finite number", at));
        }
        let options = render_options(size, &layers, &camera, None, false, threads)?;
        let clip = optional_clip(&self.inner, clip)?;
        let played = clip.map(|clip| &self.inner.clips()[clip]);
        let times = if is_gif {
            FrameTimes::of_clip(played, fps).map_err(of_file)?.without_loop_end(played)
        } else {
            FrameTimes::single(at)
        };
        let each = (0..times.len()).map(|frame| times.seconds(frame));
        let renderer = py.detach(|| Renderer::new(&options, &self.inner, clip, &mut each.clone()));
        let mut renderer = renderer.map_err(refused)?;
        let policy = if overwrite { OverwritePolicy::Replace } else { OverwritePolicy::Refuse };
        let drawing =
            |error: sinew_render::Error| FileError::invalid("picture", "a model to draw", error.to_string());
        let failed = |source| FileError::Write { file: path.clone(), source };
        // Set when a signal ends the drawing; the file is not written then.
        let mut interrupted = Ok(());
        let written = py.detach(|| {
            write_atomic(&path, policy, |file| {
                if !is_gif {
                    return write_png(file, renderer.picture(at).map_err(drawing)?).map_err(failed);
                }
                let mut histogram = Histogram::default();
                let samples = times.len().min(PALETTE_SAMPLES);
                for sample in 0..samples {
                    let seconds = times.seconds(sample * times.len() / samples);
                    histogram.add(renderer.picture(seconds).map_err(drawing)?.pixels());
                }
                let size = renderer.picture(times.seconds(0)).map_err(drawing)?.size();
                let mut gif = GifEncoder::new(file, size, histogram.palette(), fps).map_err(failed)?;
                for seconds in each.clone() {
                    interrupted = Python::attach(|py| py.check_signals());
                    if interrupted.is_err() {
                        return Err(failed(std::io::ErrorKind::Interrupted.into()));
                    }
                    gif.add(renderer.picture(seconds).map_err(drawing)?).map_err(failed)?;
                }
                gif.finish().map_err(failed)
            })
        });
        interrupted?;
        written.map_err(of_file)
    }
}

#[pymethods]
impl Instance {
    /// Draws the instance in its pose: an array (height, width, 3) of uint8. Arguments as of
    /// `Model.render`.
    #[pyo3(signature = (*, size=(960, 600), layers=vec!["skin".to_owned(), "shadow".to_owned()],
                        camera=vec![30.0, 12.0], threads=None))]
    fn render<'py>(
        &self,
        py: Python<'py>,
        size: (usize, usize),
        layers: Vec<String>,
        camera: Vec<f64>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let options = render_options(size, &layers, &camera, None, false, threads)?;
        let (model, pose) = (self.inner.model(), self.inner.pose());
        pixels(py, py.detach(|| Renderer::of_pose(&options, model, pose)), 0.0)
    }
}
